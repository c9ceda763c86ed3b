/** Reads media files through libavformat: streams, packets, and what a file holds. */
@NullMarked
package touchline.media.file;

import org.jspecify.annotations.NullMarked;
