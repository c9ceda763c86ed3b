/** Tests of standby media. */
@NullMarked
package touchline.media.standby;

import org.jspecify.annotations.NullMarked;
