@NullMarked
package touchline.overlay.relay;

import org.jspecify.annotations.NullMarked;
