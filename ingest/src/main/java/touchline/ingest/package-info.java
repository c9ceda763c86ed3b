/** The port between encoders and the rest: who may publish what. */
@NullMarked
package touchline.ingest;

import org.jspecify.annotations.NullMarked;
