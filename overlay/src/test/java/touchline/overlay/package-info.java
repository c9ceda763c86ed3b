@NullMarked
package touchline.overlay;

import org.jspecify.annotations.NullMarked;
