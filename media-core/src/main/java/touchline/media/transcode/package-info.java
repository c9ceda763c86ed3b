/**
 * Transcodes files: the plan, one processor per stream, the outputs. Also re-encodes single GOPs.
 */
@NullMarked
package touchline.media.transcode;

import org.jspecify.annotations.NullMarked;
