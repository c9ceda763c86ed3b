/** An overlay stream: its video as a layer over the program, its audio mixed into the program's. */
@NullMarked
package touchline.overlay.stream;

import org.jspecify.annotations.NullMarked;
