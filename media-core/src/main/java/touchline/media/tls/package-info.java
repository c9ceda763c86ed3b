/** The server's own certificate: reading it from PEM files, and replacing it while it is in use. */
@NullMarked
package touchline.media.tls;

import org.jspecify.annotations.NullMarked;
