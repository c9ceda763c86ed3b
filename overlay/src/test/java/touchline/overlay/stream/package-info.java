@NullMarked
package touchline.overlay.stream;

import org.jspecify.annotations.NullMarked;
