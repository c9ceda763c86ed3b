/** A second push: its pictures as a layer over the programme, its sound mixed into it. */
@NullMarked
package touchline.overlay.second;

import org.jspecify.annotations.NullMarked;
