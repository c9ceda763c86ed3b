package touchline.api.app;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import touchline.api.access.Hmac;
import touchline.api.access.MasterKeys;
import touchline.api.cluster.NodeDirectory;
import touchline.api.cluster.Peers;
import touchline.api.cluster.StreamOwnership;
import touchline.api.cluster.ownership.NodeRef;
import touchline.ingest.RelayKey;

/** Relays from this node to the others of its cluster. Any thread. */
final class NodeRelays implements StreamOwnership.Relays {
    private final NodeDirectory directory;
    private final Peers peers;
    private final RelayKey key;

    /** Signs with the key that all nodes share. */
    private record Key(String node, Hmac code) implements RelayKey {
        @Override
        public byte[] hmac(byte[] message) {
            return code.make("relay", message);
        }
    }

    NodeRelays(NodeDirectory directory, Peers peers, String node, MasterKeys keys) {
        this.directory = directory;
        this.peers = peers;
        this.key = new Key(node, new Hmac(keys, "relays between nodes"));
    }

    /** Resolves its name; blocks. */
    @Override
    public Optional<InetSocketAddress> address(NodeRef owner) {
        return directory
                .find(owner.id())
                .filter(each -> each.addresses().areKnown())
                .map(each -> URI.create("rtmp://" + each.addresses().rtmp()))
                .map(uri -> new InetSocketAddress(uri.getHost(), uri.getPort()))
                .filter(address -> !address.isUnresolved());
    }

    @Override
    public boolean refuses(NodeRef owner) {
        return peers.refuses(owner);
    }

    @Override
    public Optional<RelayKey> key() {
        return Optional.of(key);
    }
}
