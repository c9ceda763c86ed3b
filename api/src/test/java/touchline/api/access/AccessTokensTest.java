package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.Database;
import touchline.api.db.TokenRepository;
import touchline.api.domain.AccessToken;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.config.DatabaseConfig;

final class AccessTokensTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String ADMIN_SECRET = "the secret of the operator";

    @TempDir Path folder;

    private Instant now = START;
    private Database database;
    private TokenRepository repository;
    private AccessTokens tokens;

    @BeforeEach
    void open() {
        DatabaseConfig config =
                new DatabaseConfig(
                        Optional.of("jdbc:h2:mem:tokens"),
                        Optional.of("sa"),
                        Optional.of(""),
                        /* maxConnections= */ 2);
        database = Database.open(config, folder);
        repository = new TokenRepository(database);
        tokens = new AccessTokens(repository, ADMIN_SECRET, () -> now);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void authenticate_minted_isThatToken() {
        AccessTokens.Minted minted = tokens.mint("ci", Set.of(Scope.LIVE_READ), Optional.empty());

        assertEquals(Optional.of(minted.token()), tokens.authenticate(minted.credential()));
        assertEquals(
                Optional.of(minted.credential()),
                Credential.parse("Bearer " + minted.credential().bearerText()));
        assertTrue(minted.token().allows(Scope.LIVE_READ));
        assertFalse(minted.token().allows(Scope.LIVE_WRITE));
    }

    @Test
    void authenticate_wrongSecretOrUnknownId_isEmpty() {
        Credential good = tokens.mint("ci", Set.of(), Optional.empty()).credential();
        Credential other = tokens.mint("ci", Set.of(), Optional.empty()).credential();

        assertEquals(
                Optional.empty(), tokens.authenticate(new Credential(good.id(), other.secret())));
        assertEquals(
                Optional.empty(),
                tokens.authenticate(new Credential(good.id(), good.secret() + "x")));
        assertEquals(Optional.empty(), tokens.authenticate(new Credential("tok_x", good.secret())));
        assertEquals(Optional.empty(), tokens.authenticate(new Credential("tok_x", ADMIN_SECRET)));
        assertEquals(
                Optional.empty(),
                tokens.authenticate(new Credential(good.id(), hashOf(good.id()))));
    }

    private String hashOf(String id) {
        return repository.find(id).orElseThrow().secretHash();
    }

    @Test
    void authenticate_expired_isEmptyFromThatInstantOn() {
        Credential credential =
                tokens.mint("ci", Set.of(), Optional.of(START.plusSeconds(60))).credential();

        now = START.plusSeconds(60).minusMillis(1);
        assertTrue(tokens.authenticate(credential).isPresent());
        now = START.plusSeconds(60);
        assertEquals(Optional.empty(), tokens.authenticate(credential));
    }

    @Test
    void authenticate_deleted_isEmpty() {
        Credential credential = tokens.mint("ci", Set.of(), Optional.empty()).credential();

        repository.delete(credential.id());

        assertEquals(Optional.empty(), tokens.authenticate(credential));
    }

    @Test
    void list_afterAUse_showsItBeforeAndAfterItIsWritten() {
        Credential used = tokens.mint("used", Set.of(), Optional.empty()).credential();
        Credential refused = tokens.mint("idle", Set.of(), Optional.empty()).credential();

        tokens.authenticate(used);
        tokens.authenticate(new Credential(refused.id(), "wrong"));

        assertEquals(List.of(Optional.empty(), Optional.of(START)), listedUses());
        assertEquals(Optional.empty(), repository.find(used.id()).orElseThrow().lastUsedAt());
        tokens.writeUses();
        assertEquals(List.of(Optional.empty(), Optional.of(START)), listedUses());
        assertEquals(Optional.of(START), repository.find(used.id()).orElseThrow().lastUsedAt());
    }

    private List<Optional<Instant>> listedUses() {
        return tokens.list(PageRequest.FIRST).items().stream()
                .map(AccessToken::lastUsedAt)
                .toList();
    }

    @Test
    void authenticate_admin_hasEveryScopeAndIsNotListed() {
        AccessToken admin =
                tokens.authenticate(new Credential("admin", ADMIN_SECRET)).orElseThrow();

        assertEquals(EnumSet.allOf(Scope.class), admin.scopes());
        assertEquals(Optional.empty(), tokens.authenticate(new Credential("admin", "wrong")));
        assertEquals(0, repository.list(PageRequest.FIRST).total());
    }

    @Test
    void mint_twice_sharesNothing() {
        AccessTokens.Minted one = tokens.mint("ci", Set.of(), Optional.empty());
        AccessTokens.Minted two = tokens.mint("ci", Set.of(), Optional.empty());

        assertNotEquals(one.token().id(), two.token().id());
        assertNotEquals(one.credential().secret(), two.credential().secret());
        // 43 letters and digits hold 256 bits.
        assertTrue(one.credential().secret().matches("[0-9A-Za-z]{43}"));
    }

    @Test
    void toString_ofWhatWasMinted_hidesSecretAndHash() {
        AccessTokens.Minted minted = tokens.mint("ci", Set.of(), Optional.empty());

        assertFalse(minted.toString().contains(minted.credential().secret()));
        assertFalse(minted.toString().contains(minted.token().secretHash()));
    }

    @Test
    void adminSecret_notConfigured_isMadeOnceAndReadAgain() throws Exception {
        Path file = folder.resolve("data").resolve(AdminSecret.FILE);

        String first = AdminSecret.load(Optional.empty(), folder.resolve("data"));
        String second = AdminSecret.load(Optional.empty(), folder.resolve("data"));

        assertEquals(first, second);
        assertEquals(first + "\n", Files.readString(file));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void adminSecret_configured_winsOverTheFile() {
        String made = AdminSecret.load(Optional.empty(), folder);

        assertEquals(
                "given by the operator",
                AdminSecret.load(Optional.of("given by the operator"), folder));
        assertEquals(made, AdminSecret.load(Optional.empty(), folder));
    }
}
