/** Events on their way to whoever asked for them. */
@NullMarked
package touchline.api.events;

import org.jspecify.annotations.NullMarked;
