/** Tests of the package of the same name. */
@NullMarked
package touchline.ingest.amf;

import org.jspecify.annotations.NullMarked;
