/** Transcoding to the clients' storages: requests, their tasks, and telling that they are over. */
@NullMarked
package touchline.api.vod;

import org.jspecify.annotations.NullMarked;
