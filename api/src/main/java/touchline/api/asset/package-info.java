/** Assets: recordings and clips, their files, their playback ids and who may delete them. */
@NullMarked
package touchline.api.asset;

import org.jspecify.annotations.NullMarked;
