/**
 * Transcoding to the storages of clients: requests, their tasks, and notifications at their end.
 */
@NullMarked
package touchline.api.vod;

import org.jspecify.annotations.NullMarked;
