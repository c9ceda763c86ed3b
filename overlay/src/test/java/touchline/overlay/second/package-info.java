@NullMarked
package touchline.overlay.second;

import org.jspecify.annotations.NullMarked;
