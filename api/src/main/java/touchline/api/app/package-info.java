/** Arguments, assembly and life cycle of the server. */
@NullMarked
package touchline.api.app;

import org.jspecify.annotations.NullMarked;
