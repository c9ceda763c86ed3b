/** Tests of the package of the same name. */
@NullMarked
package touchline.ingest.flv;

import org.jspecify.annotations.NullMarked;
