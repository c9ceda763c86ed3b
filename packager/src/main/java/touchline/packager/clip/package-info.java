/** Cuts a range of a recording into a new one; re-encodes only its edges. */
@NullMarked
package touchline.packager.clip;

import org.jspecify.annotations.NullMarked;
