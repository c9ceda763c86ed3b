@NullMarked
package touchline.api.logging;

import org.jspecify.annotations.NullMarked;
