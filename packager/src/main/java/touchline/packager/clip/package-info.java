/** Cuts a range of a recording into a new one, encoding anew no more than its edges. */
@NullMarked
package touchline.packager.clip;

import org.jspecify.annotations.NullMarked;
