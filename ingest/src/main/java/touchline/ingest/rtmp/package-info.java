/** RTMP 1.0 and Enhanced RTMP on Netty. */
@NullMarked
package touchline.ingest.rtmp;

import org.jspecify.annotations.NullMarked;
