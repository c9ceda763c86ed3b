/** Transcodes files: the plan, one processor a stream, the outputs; and re-encodes single GOPs. */
@NullMarked
package touchline.media.transcode;

import org.jspecify.annotations.NullMarked;
