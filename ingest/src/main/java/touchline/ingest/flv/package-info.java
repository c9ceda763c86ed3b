/** FLV tags as they travel inside RTMP. */
@NullMarked
package touchline.ingest.flv;

import org.jspecify.annotations.NullMarked;
