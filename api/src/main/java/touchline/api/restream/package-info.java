/** Sends the programmes of live sessions on to other RTMP servers. */
@NullMarked
package touchline.api.restream;

import org.jspecify.annotations.NullMarked;
