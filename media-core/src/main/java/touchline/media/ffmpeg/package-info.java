/**
 * Codecs, frames and filters of FFmpeg. Native types stay in here, in media.file and in
 * media.transcode.
 */
@NullMarked
package touchline.media.ffmpeg;

import org.jspecify.annotations.NullMarked;
