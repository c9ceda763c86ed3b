/** Tests of the comparison of two publishers by their audio. */
@NullMarked
package touchline.media.alignment;

import org.jspecify.annotations.NullMarked;
