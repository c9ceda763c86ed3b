/** A second push: its frames as a layer over the programme, its audio mixed into it. */
@NullMarked
package touchline.overlay.stream;

import org.jspecify.annotations.NullMarked;
