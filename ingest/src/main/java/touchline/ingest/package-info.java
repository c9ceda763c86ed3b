/** The port between encoders and the server: decides which key may publish what. */
@NullMarked
package touchline.ingest;

import org.jspecify.annotations.NullMarked;
