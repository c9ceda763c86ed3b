/** Media of the standby: the last frame or a slate, encoded once, and silence. */
@NullMarked
package touchline.media.standby;

import org.jspecify.annotations.NullMarked;
