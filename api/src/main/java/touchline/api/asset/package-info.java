/** Assets: recordings and clips, their files, playback ids and deletion. */
@NullMarked
package touchline.api.asset;

import org.jspecify.annotations.NullMarked;
