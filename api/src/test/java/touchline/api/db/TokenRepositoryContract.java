package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;

/** Contract of {@link TokenRepository} on any database. */
abstract class TokenRepositoryContract {
    private TokenRepository tokens;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM access_tokens"));
        tokens = new TokenRepository(database());
    }

    private AccessToken created(String id, Set<Scope> scopes, Optional<Instant> expiresAt) {
        AccessToken token =
                new AccessToken(
                        id,
                        "name of " + id,
                        scopes,
                        expiresAt,
                        "ab12",
                        Samples.NOW,
                        Optional.empty());
        tokens.create(token);
        return token;
    }

    @Test
    void find_created_comesBackEqual() {
        AccessToken all = created("tok_1", EnumSet.allOf(Scope.class), Optional.empty());
        AccessToken none = created("tok_2", Set.of(), Optional.of(Samples.NOW));

        assertEquals(Optional.of(all), tokens.find("tok_1"));
        assertEquals(Optional.of(none), tokens.find("tok_2"));
        assertEquals(Optional.empty(), tokens.find("tok_3"));
    }

    @Test
    void create_idTaken_fails() {
        created("tok_1", Set.of(), Optional.empty());

        DatabaseException failure =
                assertThrows(
                        DatabaseException.class,
                        () -> created("tok_1", Set.of(), Optional.empty()));

        assertTrue(Database.isUniqueViolation(failure));
    }

    @Test
    void list_twoPages_newestFirst() {
        for (int i = 0; i < 4; i++) {
            created("tok_" + i, Set.of(Scope.SYSTEM), Optional.empty());
        }

        List<String> listed = new ArrayList<>();
        Page<AccessToken> first = tokens.list(new PageRequest(1, 3));
        first.items().forEach(token -> listed.add(token.id()));
        tokens.list(new PageRequest(2, 3)).items().forEach(token -> listed.add(token.id()));

        assertEquals(List.of("tok_3", "tok_2", "tok_1", "tok_0"), listed);
        assertEquals(4, first.total());
    }

    @Test
    void used_laterThanStored_isStored() {
        created("tok_1", Set.of(), Optional.empty());
        created("tok_2", Set.of(), Optional.empty());
        Instant later = Samples.NOW.plusSeconds(60);

        tokens.used(Map.of("tok_1", Samples.NOW, "tok_2", later, "tok_gone", later));
        tokens.used(Map.of("tok_1", later, "tok_2", Samples.NOW));

        assertEquals(Optional.of(later), tokens.find("tok_1").orElseThrow().lastUsedAt());
        assertEquals(Optional.of(later), tokens.find("tok_2").orElseThrow().lastUsedAt());
        assertEquals(2, tokens.list(PageRequest.FIRST).total());
    }

    @Test
    void delete_twice_saysWhetherThereWasOne() {
        created("tok_1", Set.of(), Optional.empty());

        assertTrue(tokens.delete("tok_1"));
        assertFalse(tokens.delete("tok_1"));
        assertEquals(Optional.empty(), tokens.find("tok_1"));
    }

    @Test
    void deleteExpired_moreThanTheLimit_takesTheOldestFirst() {
        created("tok_never", Set.of(), Optional.empty());
        created("tok_later", Set.of(), Optional.of(Samples.NOW.plusSeconds(1)));
        created("tok_now", Set.of(), Optional.of(Samples.NOW));
        for (int i = 1; i <= 5; i++) {
            created("tok_" + i, Set.of(), Optional.of(Samples.NOW.minusSeconds(i)));
        }

        assertEquals(3, tokens.deleteExpired(Samples.NOW, 3));
        assertTrue(tokens.find("tok_1").isPresent());
        assertTrue(tokens.find("tok_2").isPresent());
        assertEquals(Optional.empty(), tokens.find("tok_3"));
        assertEquals(2, tokens.deleteExpired(Samples.NOW, 3));
        assertEquals(0, tokens.deleteExpired(Samples.NOW, 3));
        assertEquals(3, tokens.list(PageRequest.FIRST).total());
    }
}
