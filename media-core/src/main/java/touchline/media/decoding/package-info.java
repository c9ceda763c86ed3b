/** Single frames out of GOPs: decoded in this process, or in child processes that may crash. */
@NullMarked
package touchline.media.decoding;

import org.jspecify.annotations.NullMarked;
