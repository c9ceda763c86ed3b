/**
 * Codecs, frames and filters of FFmpeg. Only this package, media.file and media.transcode use
 * native types.
 */
@NullMarked
package touchline.media.ffmpeg;

import org.jspecify.annotations.NullMarked;
