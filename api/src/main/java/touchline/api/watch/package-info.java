/** Pages on the playback port to watch a stream or an asset, and to embed it. */
@NullMarked
package touchline.api.watch;

import org.jspecify.annotations.NullMarked;
