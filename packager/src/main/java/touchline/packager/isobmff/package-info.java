/** ISO base media file format: boxes, init segments, fragments. */
@NullMarked
package touchline.packager.isobmff;

import org.jspecify.annotations.NullMarked;
