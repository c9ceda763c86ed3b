/** HLS packaging: segmenting, the live window and its playlists. */
@NullMarked
package touchline.packager.hls;

import org.jspecify.annotations.NullMarked;
