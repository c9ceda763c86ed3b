/** Resources as JSON of the API and of events. */
@NullMarked
package touchline.api.view;

import org.jspecify.annotations.NullMarked;
