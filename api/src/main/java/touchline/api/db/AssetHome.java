package touchline.api.db;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.FilePlace;

/**
 * The node whose disk has an asset's files. Without a cluster all files are here, and no column is
 * read. Immutable, any thread.
 */
final class AssetHome {
    private static final int AT_ONCE = 500;

    private final Optional<NodeIdentity> node;

    /**
     * @param node this server's; empty without a cluster
     */
    AssetHome(Optional<NodeIdentity> node) {
        this.node = node;
    }

    boolean isNode() {
        return node.isPresent();
    }

    /** Condition of SQL: the files are on this server. The statement is {@link #bound}. */
    String here() {
        return isNode() ? "home = :home" : "1 = 1";
    }

    /**
     * Expression of SQL: the {@link FilePlace} of a row's files, as text. The statement is {@link
     * #bound}.
     *
     * @param table has a column {@code home}
     */
    String place(String table) {
        return isNode()
                ? "CASE WHEN home = :home THEN 'HERE' WHEN "
                        + running(table)
                        + " THEN 'ELSEWHERE' ELSE 'GONE' END"
                : "'HERE'";
    }

    /**
     * Condition of SQL: no other node that runs has a row's files. The statement is {@link #bound}.
     */
    String notElsewhere(String table) {
        return isNode() ? "(home = :home OR NOT " + running(table) + ")" : "1 = 1";
    }

    /** Condition of SQL: the node with a row's files runs. */
    static String running(String table) {
        return "EXISTS (SELECT 1 FROM nodes n WHERE n.id = "
                + table
                + ".home AND n.state != 'gone')";
    }

    <S extends SqlStatement<S>> S bound(S statement) {
        return isNode() ? statement.bind("home", node.get().id()) : statement;
    }

    /** Whether no other node has taken a recording. A clip is written by the node of its job. */
    boolean isHere(Handle handle, Asset asset) {
        return !isNode()
                || !(asset.origin() instanceof AssetOrigin.Recorded)
                || of(handle, asset.id())
                        .filter(home -> !home.equals(node.orElseThrow().id()))
                        .isEmpty();
    }

    /**
     * A clip is made where its source is, unless any node can bring that back; a recording here.
     */
    void settle(Handle handle, AssetId asset) {
        handle.createUpdate(
                        """
                        UPDATE assets SET home = COALESCE(
                            (SELECT MIN(s.home) FROM assets s
                                WHERE s.uploaded_at_ms IS NULL
                                    AND (s.id = assets.source_asset_id OR s.id IN
                                        (SELECT r.source_asset_id FROM clip_ranges r
                                            WHERE r.asset_id = assets.id))),
                            :home)
                        WHERE id = :id
                        """)
                .bind("home", node.orElseThrow().id())
                .bind("id", asset.value())
                .execute();
    }

    Optional<String> of(Handle handle, AssetId asset) {
        return handle.createQuery("SELECT home FROM assets WHERE id = :id AND home IS NOT NULL")
                .bind("id", asset.value())
                .mapTo(String.class)
                .findOne();
    }

    /** The same, empty where all files are in S3. */
    Optional<String> onlyOf(Handle handle, AssetId asset) {
        if (!isNode()) {
            return Optional.empty();
        }
        return handle.createQuery(
                        "SELECT home FROM assets WHERE id = :id AND home IS NOT NULL"
                                + " AND uploaded_at_ms IS NULL")
                .bind("id", asset.value())
                .mapTo(String.class)
                .findOne();
    }

    /** Those of some assets that another node has, and whether they are in S3. */
    Map<AssetId, Boolean> elsewhere(Handle handle, Set<String> folders) {
        if (!isNode()) {
            return Map.of();
        }
        List<String> all = new ArrayList<>(folders);
        Map<AssetId, Boolean> found = new HashMap<>();
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            handle.createQuery(
                            "SELECT id, uploaded_at_ms IS NOT NULL AS stored FROM assets"
                                    + " WHERE home \\<> :home AND session_id IS NOT NULL"
                                    + " AND id IN (<ids>)")
                    .bind("home", node.orElseThrow().id())
                    .bindList("ids", all.subList(from, Math.min(all.size(), from + AT_ONCE)))
                    .map(
                            (row, _) ->
                                    Map.entry(
                                            new AssetId(row.getString("id")),
                                            row.getBoolean("stored")))
                    .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        }
        return found;
    }

    /** Those without a home whose folders are here, and what is to be cut from them. */
    boolean adopt(Handle handle, Set<String> folders) {
        List<String> all = new ArrayList<>(folders);
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            List<String> some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
            for (String table : List.of("assets", "deleted_assets")) {
                handle.createUpdate(
                                "UPDATE "
                                        + table
                                        + " SET home = :home WHERE home IS NULL AND id IN (<ids>)")
                        .bind("home", node.orElseThrow().id())
                        .bindList("ids", some)
                        .execute();
            }
        }
        handle.createUpdate(
                        "UPDATE assets SET home = :home WHERE home IS NULL AND source_asset_id IN"
                                + " (SELECT s.id FROM assets s WHERE s.home = :home)")
                .bind("home", node.orElseThrow().id())
                .execute();
        return true;
    }
}
