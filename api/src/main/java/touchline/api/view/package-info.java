/** Resources as the API, and the events that tell of them, show them. */
@NullMarked
package touchline.api.view;

import org.jspecify.annotations.NullMarked;
