package touchline.media.net;

import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;

/**
 * Addresses behind which many clients are: loopback and trusted proxies. Limits per address do not
 * hold for these. Immutable, any thread.
 */
public final class SharedAddresses implements Predicate<InetAddress> {
    private final List<AddressBlock> proxies;

    /**
     * @param trustedProxies CIDRs, or single addresses
     * @throws IllegalArgumentException one is neither
     */
    public SharedAddresses(List<String> trustedProxies) {
        proxies = trustedProxies.stream().map(AddressBlock::around).toList();
    }

    @Override
    public boolean test(InetAddress address) {
        return address.isLoopbackAddress()
                || proxies.stream().anyMatch(block -> block.contains(address));
    }
}
