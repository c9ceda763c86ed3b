@NullMarked
package touchline.api.host;

import org.jspecify.annotations.NullMarked;
