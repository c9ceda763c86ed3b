/**
 * Transcodes files: the plan, one processor per stream, the outputs. Also re-encodes single GOPs,
 * and audio of live sessions that browsers do not play.
 */
@NullMarked
package touchline.media.transcode;

import org.jspecify.annotations.NullMarked;
