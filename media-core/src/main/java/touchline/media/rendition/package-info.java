/** Live renditions: smaller versions of a session's video, encoded from one decode. */
@NullMarked
package touchline.media.rendition;

import org.jspecify.annotations.NullMarked;
