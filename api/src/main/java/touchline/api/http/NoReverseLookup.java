package touchline.api.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Addresses have no names in this process: nothing asks DNS for the name of a client. Helidon would
 * do so for every TLS connection. A client that controls its reverse zone would hold the carriers
 * of all virtual threads for as long as its server does not answer. Names of hosts are looked up as
 * ever. Any thread.
 */
public final class NoReverseLookup extends InetAddressResolverProvider {
    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver builtin = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
                    throws UnknownHostException {
                return builtin.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                throw new UnknownHostException("no reverse lookup");
            }
        };
    }

    @Override
    public String name() {
        return "touchline";
    }
}
