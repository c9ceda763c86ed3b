package touchline.benchmarks.load;

import java.net.URI;

/**
 * A live stream of a server under test.
 *
 * @param push RTMP address with the stream key
 * @param watch HLS address
 */
public record LiveAddress(String id, URI push, URI watch) {}
