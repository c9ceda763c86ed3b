/** Tests of the codec configurations. */
@NullMarked
package touchline.media.codec;

import org.jspecify.annotations.NullMarked;
