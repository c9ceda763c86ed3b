/** Reads media files through libavformat: streams, packets and file properties. */
@NullMarked
package touchline.media.file;

import org.jspecify.annotations.NullMarked;
