package touchline.api.db;

import java.util.List;

/**
 * What a node says of itself when it joins a cluster. Immutable.
 *
 * @param id {@code cluster.node}
 * @param roles {@code cluster.roles}
 * @param version of its build
 * @param configHash of the settings that viewers notice, which should be the same on all nodes
 * @param keyCheck fingerprint of the master key
 * @param secretCheck fingerprint of the secret of token admin
 */
public record NodeSettings(
        String id,
        List<String> roles,
        String version,
        String configHash,
        String keyCheck,
        String secretCheck) {
    public NodeSettings {
        roles = List.copyOf(roles);
    }
}
