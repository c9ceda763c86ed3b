/** The control API on Helidon SE. */
@NullMarked
package touchline.api.http;

import org.jspecify.annotations.NullMarked;
