/** The only room that sees FFmpeg's native types. */
@NullMarked
package touchline.media.ffmpeg;

import org.jspecify.annotations.NullMarked;
