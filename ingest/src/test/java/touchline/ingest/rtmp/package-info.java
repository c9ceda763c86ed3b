/** Tests of the package of the same name. */
@NullMarked
package touchline.ingest.rtmp;

import org.jspecify.annotations.NullMarked;
